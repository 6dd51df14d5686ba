// OpenCV's side of `tactics.blur` and `tactics.convolve`: the same cells as floats, the edge cells
// repeated, one thread. The argument is "blur:SIDE" or "convolve:SIDE". Lines in: "pass" filters
// once and answers nanoseconds a cell; "mean" answers the mean of the middle column.
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    const std::string argument = argc > 1 ? argv[1] : "blur:512";
    const std::size_t colon = argument.find(':');
    const bool blur = argument.compare(0, colon, "blur") == 0;
    const int side = std::atoi(argument.c_str() + colon + 1);
    cv::setNumThreads(1);
    cv::Mat from(side, side, CV_32F), to;
    for (int i = 0; i < side * side; i++) {
        from.at<float>(i / side, i % side) =
            static_cast<float>(static_cast<std::uint32_t>(i) * 2654435761u >> 8) / 16777216.0f;
    }
    const float binomial[5] = {1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f};
    float any[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
    for (float &weight : any) weight /= 46.0f;
    const cv::Mat line(1, 5, CV_32F, const_cast<float *>(binomial)), full(3, 3, CV_32F, any);
    std::cout << "ready OpenCV " << CV_VERSION << std::endl;
    std::string word;
    while (std::cin >> word) {
        double answer = 0.0;
        if (word == "pass") {
            auto begin = std::chrono::steady_clock::now();
            if (blur) {
                cv::sepFilter2D(from, to, CV_32F, line, line, cv::Point(-1, -1), 0,
                                cv::BORDER_REPLICATE);
            } else {
                cv::filter2D(from, to, CV_32F, full, cv::Point(-1, -1), 0, cv::BORDER_REPLICATE);
            }
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            answer = spent.count() / (static_cast<double>(side) * side);
        } else {
            for (int y = 0; y < side; y++) answer += to.at<float>(y, side / 2);
            answer /= side;
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    return 0;
}
